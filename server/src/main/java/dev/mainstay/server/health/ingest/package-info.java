/** Uploads: from the request to rows, counts and the verdict. */
package dev.mainstay.server.health.ingest;

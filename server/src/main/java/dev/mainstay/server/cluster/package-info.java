/** A database on several servers: results spread over the workers of a Citus cluster. */
package dev.mainstay.server.cluster;

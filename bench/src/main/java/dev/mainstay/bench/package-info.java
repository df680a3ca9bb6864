/** What Mainstay costs, measured against what it stands on. */
package dev.mainstay.bench;

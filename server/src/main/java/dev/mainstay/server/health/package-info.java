/** Test results: how they come in, where they are kept, and what a job may make of them. */
package dev.mainstay.server.health;

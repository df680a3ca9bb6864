/** The APIs of hosts: requests, limits, pages. */
package dev.mainstay.server.forge.rest;

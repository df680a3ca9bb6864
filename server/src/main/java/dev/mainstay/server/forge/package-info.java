/** Where the code lives: pull requests and branches of a connected repository. */
package dev.mainstay.server.forge;

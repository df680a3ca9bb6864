/**
 * A test and its repository, as the rest of test health knows them: names, standing, settings,
 * addresses.
 */
package dev.mainstay.server.health.test;

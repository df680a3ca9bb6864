/**
 * Events out: facts become events, events become deliveries, and every attempt is kept. What is
 * said of an event is made of the event alone; see docs/adr/0039.
 */
package dev.mainstay.server.event;

/**
 * The pages: one more client of the API, in the same process. A page asks the API's own routes and
 * draws what they answer; every action of a page is a call that a program could make too.
 */
package dev.mainstay.server.web;

/** `mainstay doctor`: looks at all that the service stands on, and says what to do. */
package dev.mainstay.cli.doctor;

/** Test reports sent to a server, and its verdict as an exit code: the commands upload and test. */
package dev.mainstay.cli.upload;

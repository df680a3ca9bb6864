/** The files of an upload: archives are unpacked, and the content of each tells its reader. */
package dev.mainstay.server.report.file;

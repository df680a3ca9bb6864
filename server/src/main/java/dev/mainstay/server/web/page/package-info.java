/** What all pages stand on: who looks, what they may do, the frame around a page, its address. */
package dev.mainstay.server.web.page;

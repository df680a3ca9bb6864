/** The pages in a real browser, against nodes of their own. */
package dev.mainstay.browser;

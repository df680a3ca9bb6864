/** Judgement: monitors, histories, and the status of each test. */
package dev.mainstay.server.health.judge;

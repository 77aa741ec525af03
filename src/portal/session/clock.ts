/** How far the clock of this device is behind the server's, in milliseconds. */
let behindMs = 0;

/** Takes the server's time from the page: the clock of a citizen's device may be wrong by hours. */
export function setClock(serverTime: string): void {
  behindMs = Date.parse(serverTime) - Date.now();
}

/** The time by the server's clock, as far as the page knows it: the one clock of the portal. */
export function now(): Date {
  return new Date(Date.now() + behindMs);
}

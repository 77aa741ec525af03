let clockOffsetMs = 0;

/** Synchronizes the clock with the server's time, because the clock of the device may be wrong by hours. */
export function synchronizeClock(serverTime: string): void {
  clockOffsetMs = Date.parse(serverTime) - Date.now();
}

/** Returns the current time of the server. The portal uses no other clock. */
export function getServerTime(): Date {
  return new Date(Date.now() + clockOffsetMs);
}

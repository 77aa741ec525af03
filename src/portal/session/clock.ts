let clockOffsetMs = 0;

/** Synchronizes the clock with the server, because the clock of the device may be wrong by hours. */
export function setClock(serverTime: string): void {
  clockOffsetMs = Date.parse(serverTime) - Date.now();
}

/** Returns the server's time. The portal uses no other clock. */
export function now(): Date {
  return new Date(Date.now() + clockOffsetMs);
}

let clockOffsetMs = 0;

/** Synchronizes with the server's time: the device's clock may be wrong by hours. */
export function setClock(serverTime: string): void {
  clockOffsetMs = Date.parse(serverTime) - Date.now();
}

/** Returns the server's time. The portal uses no other clock. */
export function now(): Date {
  return new Date(Date.now() + clockOffsetMs);
}

/** Seconds that a lease of work, which one replica does for all, lasts after it was last renewed. */
export const leaseS = 600;

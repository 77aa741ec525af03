/** Name of the meta element with the change count at which the page was rendered. Only the development server adds it. */
export const drawnAtName = 'portal-drawn-at';

/** Message with which a page reports that count to the development server. */
export const drawnAtEvent = 'portal:drawn-at';

/** Event after a change of a file. The page reloads unless a listener prevents the default. */
export const changedEvent = 'portal:changed';

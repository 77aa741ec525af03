/** Name of the meta element with the number of changes that a page was drawn after; the development server alone writes it. */
export const drawnAtName = 'portal-drawn-at';

/** Message by which a page tells that number to the development server. */
export const drawnAtEvent = 'portal:drawn-at';

/** Message by which the server tells that something changed, and the page tells itself: who prevents its default is not loaded anew. */
export const changedEvent = 'portal:changed';

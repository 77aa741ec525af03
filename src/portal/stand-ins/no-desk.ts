/** In the place of the desk's calls in what citizens load. */
export const deskOperations = {};
export const deskAnswers = {};
export const deskBodies = {};

/** Stands in for the library inside rjsf that merges `allOf`: the compiler refuses that keyword, so that a schema in the browser has nothing to merge. */
const asItIs = <Value>(value: Value): Value => value;

export const createComparator = () => ({ compareSchemaDefinitions: () => 0, compareSchemaValues: () => 0 });
export const createMerger = () => ({ mergeArrayOfSchemaDefinitions: asItIs });
export const createShallowAllOfMerge = () => asItIs;
export const createDeduplicator = () => asItIs;
export const createIntersector = () => asItIs;

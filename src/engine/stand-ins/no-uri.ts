/** Stands in for the URI library inside rjsf: the compiler resolves every `$ref`, so that a schema in the browser has none to resolve. */
const uri = {
  equal: (one: string, other: string): boolean => one === other,
  resolve: (base: string, reference: string): string => new URL(reference, base).href,
};

// oxlint-disable-next-line import/no-default-export -- as the library exports it
export default uri;

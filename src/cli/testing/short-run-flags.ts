/**
 * V8 flags that save CPU time in processes that run for a short time on busy cores. Optimizing PGlite's WebAssembly costs more than tests gain from it:
 * opening the embedded database takes half of the time without it.
 */
export const shortRunFlags = [
  '--liftoff-only',
  '--single-threaded-gc', // parallel collection only adds overhead if all cores are busy
  '--min-semi-space-size=64', // in MB, so that fewer short-lived objects are copied
  '--max-semi-space-size=64',
];

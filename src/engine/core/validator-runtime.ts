import { isMultipleOf } from './values/numbers.ts';
import { isObject } from './json.ts';
import type { ValidatorRuntime } from './compiled-screen.ts';

/** Called by generated validators. Lengths are in code points. Equality supports only scalars and flat objects, because choices have no other values. */
export const validatorRuntime: ValidatorRuntime = {
  ucs2length(text) {
    let length = text.length;
    for (let index = 0; index < text.length - 1; index += 1) if ((text.codePointAt(index) ?? 0) > 0xffff) length -= 1;
    return length;
  },
  equal: (a, b) =>
    a === b || (isObject(a) && isObject(b) && Object.keys({ ...a, ...b }).every((key) => a[key] === b[key])),
  isMultipleOf,
};

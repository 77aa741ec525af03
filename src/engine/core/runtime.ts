import { isMultipleOf } from './values/decimal.ts';
import { isObject } from './json.ts';
import type { ValidatorRuntime } from './screen.ts';

/** The helpers of generated validators: length in code points, as JSON Schema counts; equality of scalars and of objects of them, all that can be chosen; multiples in decimal arithmetic. */
export const runtime: ValidatorRuntime = {
  ucs2length(text) {
    let length = text.length;
    for (let index = 0; index < text.length - 1; index += 1) if ((text.codePointAt(index) ?? 0) > 0xffff) length -= 1;
    return length;
  },
  equal: (a, b) =>
    a === b || (isObject(a) && isObject(b) && Object.keys({ ...a, ...b }).every((key) => a[key] === b[key])),
  isMultipleOf,
};

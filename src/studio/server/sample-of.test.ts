import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { answers } from '../../contract/answers.ts';
import type { JsonObject } from '../../engine/core/json.ts';
import { sampleOf } from './sample-of.ts';

const ajv = new Ajv({ strict: false });
addFormats.default(ajv);

test.each(Object.entries(answers))(
  '[EST-07] a sample of the answer %s is one that the contract allows',
  (_, schema) => {
    const isAllowed = ajv.compile(schema);
    const sample = sampleOf(schema as unknown as JsonObject); // schemas of the contract are JSON
    expect([isAllowed(sample), isAllowed.errors, sample]).toEqual([true, null, sample]);
  },
);

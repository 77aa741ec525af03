import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { createDefinitionOptions } from '../../../src/server/app/definition-options.ts';

const { reads, validated } = createDefinitionOptions(resolve(import.meta.dirname, '../../..'));

test.each([
  ['a body that is a form', 'registerCitizen', 'registro', 'email'],
  ['a part of a body, of one screen', 'sendFeedback', 'feedback', 'pregunta_1'],
  ['a part of a body, of the screen that asked for it', 'answerChallenge', 'login-totp', 'totp'],
])(
  '[ANA-02] fields that a handler reads are held to, and checked by what the server knows: %s',
  (_, call, screen, field) => {
    expect(
      reads?.filter((read) => read.operation === call && read.field === field && read.screens.includes(screen)),
    ).toHaveLength(1);
    expect(validated?.screens).toContain(screen);
  },
);

import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { createDefinitionOptions } from '../../../src/server/app/definition-options.ts';

const { reads, validated } = createDefinitionOptions(resolve(import.meta.dirname, '../../..'));

test.each([
  ['a body that is a form', 'registerCitizen', 'registro', 'email'],
  ['a form inside the body, of one screen', 'sendFeedback', 'feedback', 'pregunta_1'],
  ['a form inside the body, of one of several screens', 'answerChallenge', 'login-totp', 'totp'],
])(
  '[ANA-02] definition options declare that the server validates the fields that a handler reads: %s',
  (_, call, screen, field) => {
    expect(
      reads?.filter((read) => read.operation === call && read.field === field && read.screens.includes(screen)),
    ).toHaveLength(1);
    expect(validated?.screens).toContain(screen);
  },
);

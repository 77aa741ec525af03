import { OperationError } from '../../../platform/base/errors.ts';
import { readEmail } from '../../../platform/base/read-text.ts';
import { challengeNames } from '../../../trust/identity/names.ts';
import type { Challenge } from './challenge.ts';

/** The agent's address at a registered institution. It proves nothing until the code mailed there is entered. */
export const institutionalEmail: Challenge = {
  name: challengeNames.institutionalEmail,
  due: ({ record }) => record.agent === '1' && record.institutional_email === null,
  answer: {
    async prove(dependencies, request) {
      const { institutional_email: named = '' } = await dependencies.validateForm(
        'login-institutional-email',
        request.body.data_challenge,
        request,
      );
      const email = readEmail(named);
      const domain = email.slice(email.lastIndexOf('@') + 1);
      if (!dependencies.config.agentDomains.includes(domain)) {
        throw new OperationError(400, 'dominio_no_registrado', { field: 'institutional_email' });
      }
      return { factor: null, institutionalEmail: email, settle: async () => {} };
    },
  },
};

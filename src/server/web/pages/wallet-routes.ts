import type { FastifyInstance } from 'fastify';
import { identityBrokerPaths } from '../../../contract/contract.ts';
import { OperationError, addRefusalLogFacts } from '../../platform/base/errors.ts';
import { WalletError } from '../../trust/federation/wallet/wallet-verifier.ts';
import {
  receiveWalletResponse,
  consumeWalletRequestObject,
  type WalletDependencies,
} from '../../trust/federation/wallet/presentation-requests.ts';
import { addFormParser, readQueryParameters } from '../../platform/http/form-parser.ts';

/** Registers the endpoints that wallets call. Wallets send no cookie, so the id of the presentation request identifies the sign-in. */
export async function registerWalletRoutes(http: FastifyInstance, dependencies: WalletDependencies): Promise<void> {
  await http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    addFormParser(scope, 64 * 1024); // a credential with its disclosures is many times smaller
    scope.get(identityBrokerPaths.walletRequest, async (request, reply) => {
      const signed = await consumeWalletRequestObject(dependencies, readQueryParameters(request)['id'] ?? '');
      if (signed === null) throw new OperationError(404, 'no_encontrado');
      return reply.type('application/oauth-authz-req+jwt').send(signed);
    });
    scope.post(identityBrokerPaths.walletResponse, async (request, reply) => {
      const { response } = (request.body ?? {}) as { readonly response?: string }; // the cast is safe: the scope's body parser returns strings
      try {
        const next = await receiveWalletResponse(dependencies, readQueryParameters(request)['id'] ?? '', response);
        return await reply.send(next === null ? {} : { redirect_uri: next });
      } catch (error) {
        if (!(error instanceof WalletError)) throw error;
        throw addRefusalLogFacts(new OperationError(400, 'billetera_invalida', { cause: error }), {
          reason: error.message,
        });
      }
    });
  });
}

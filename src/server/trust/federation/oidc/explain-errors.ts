import type Provider from 'oidc-provider';
import type { errors, KoaContextWithOIDC } from 'oidc-provider';
import { explain } from '../../../platform/base/errors.ts';
import { maskDocuments } from '../../../platform/base/document.ts';

/** Adds the reason for a rejected request, and its client, to the request's log entry. */
export function explainErrors(provider: Provider): void {
  const note = ({ req, oidc }: KoaContextWithOIDC, error: errors.OIDCProviderError): void => {
    const { error: code, error_description: description, error_detail: detail } = error;
    const named = oidc.client?.clientId ?? oidc.params?.['client_id'];
    explain(req, {
      code,
      step: oidc.route,
      ...(typeof named === 'string' && { client: maskDocuments(named).slice(0, 100) }),
      reason: maskDocuments(detail ?? description ?? ''),
    });
  };
  provider.on('authorization.error', note);
  provider.on('grant.error', note);
  provider.on('userinfo.error', note);
}

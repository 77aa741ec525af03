import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { selectAcceptedLanguage } from '../../../platform/http/request-language.ts';
import { escapeHtml } from '../../../../engine/core/values/escape-html.ts';
import { buildFormActionSources } from '../../../platform/http/security-headers.ts';
import { getSharedText } from '../../../platform/base/texts.ts';
import { oidcPaths } from './oidc-paths.ts';

/** Content-Security-Policy of the form. oidc-provider adds the hash of the form's script to `script-src`, so the directive must be present. */
const formPolicy = "default-src 'none'; script-src; base-uri 'none'; frame-ancestors 'none'";

export function enableFormPost(provider: Provider): void {
  provider.use(async (ctx, next) => {
    if (!ctx.path.startsWith(oidcPaths.authorize)) return next();
    const policy = ctx.response.get('content-security-policy');
    ctx.set('content-security-policy', formPolicy);
    await next();
    const own = ctx.response.get('content-security-policy');
    const target = readParameters(ctx)['redirect_uri'];
    if (own === formPolicy) ctx.set('content-security-policy', policy);
    else if (own.includes("'sha256-") && typeof target === 'string') {
      ctx.set('content-security-policy', `${own};form-action ${buildFormActionSources(target)}`);
      ctx.body = translatePage(String(ctx.body), selectAcceptedLanguage(ctx.get('accept-language')));
    }
  });
  // Removes `response_mode` if the redirect URI has a custom scheme, which cannot receive a form. oidc-provider returns an error in the requested
  // mode, even if the client's `response_modes` do not allow it, and `registerResponseMode` ignores the names of its own modes. The events below are
  // emitted before oidc-provider reads the mode.
  const answerByRedirect = (ctx: KoaContextWithOIDC): void => {
    const params = readParameters(ctx);
    if (!/^https?:/i.test(String(params['redirect_uri']))) delete params['response_mode'];
  };
  provider.on('authorization.error', answerByRedirect);
  provider.on('server_error', answerByRedirect);
}

function readParameters(
  ctx: Omit<KoaContextWithOIDC, 'oidc'> & Partial<Pick<KoaContextWithOIDC, 'oidc'>>,
): Record<string, unknown> {
  const { oidc, query } = ctx;
  return oidc?.params ?? query;
}

/** Translates oidc-provider's form page. Its field values are escaped, so the patterns cannot match inside them. */
function translatePage(page: string, language: 'es' | 'pt'): string {
  const [title, text, button] = (['redirigiendo', 'redirigiendo_ayuda', 'continuar'] as const).map((name) =>
    escapeHtml(getSharedText(name, language)),
  );
  return page
    .replace('<html>', `<html lang="${language}">`)
    .replace(/<title>[^<]*<\/title>/, `<title>${title}</title>`)
    .replace(/<noscript>[\s\S]*<\/noscript>/, `<noscript><p>${text}</p><button>${button}</button></noscript>`);
}

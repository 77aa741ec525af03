import { useEffect, useRef } from 'react';
import { identityBrokerPaths } from '../../contract/contract.ts';
import type { FlowBlockProps } from '../../engine/react/flow/flow-route.tsx';
import { usePortal } from '../portal-context.ts';
import { useFlowState } from '../navigation/use-flow-runner.ts';
import { LeavingScreen } from '../shell/leaving-screen.tsx';

/** Only the Content-Security-Policy of the server's page allows a form post to the service provider. */
export default function SamlResponseForm({ runner }: FlowBlockProps) {
  const { t } = usePortal();
  const { context = {} } = useFlowState(runner) ?? {};
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.submit(), []);
  const fields = { action: context.action, SAMLResponse: context.authn_response, RelayState: context.relay_state };
  return (
    <LeavingScreen text={t('redirecting')}>
      <form ref={form} method="post" action={identityBrokerPaths.samlResponse}>
        {Object.entries(fields).map(
          ([name, value]) => typeof value === 'string' && <input key={name} type="hidden" name={name} value={value} />,
        )}
      </form>
    </LeavingScreen>
  );
}

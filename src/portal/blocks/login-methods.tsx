import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import type { BlockProps } from '../../engine/react/flow-route.tsx';
import { Waiting } from '../../engine/react/waiting.tsx';
import { usePortal } from '../portal-context.ts';
import { useFlowState } from '../use-flow.ts';
import { useStore } from '../use-store.ts';
import { useTitle } from '../use-title.ts';

/** Characters of a message of the address that are shown. */
const longestMessage = 200;

/** The choice of how to sign in: the own account and the identity providers, each with description, level and logo. */
export const Block = observer(function Block({ runner }: BlockProps) {
  const { say, page } = usePortal();
  const store = useStore();
  const { mensaje: message, aplicacion: application } = useFlowState(runner)?.context ?? {};
  const [dismissed, setDismissed] = useState(false);
  useTitle(say('methods.title'));
  const providers = store?.providers;
  if (!providers) return <Waiting text={say('loading')} />;
  const own = { identificador: '', nombre: page.config.brand.product, descripcion: say('methods.own'), level: 'basicOrIntermediate', logo: null } as const;
  const methods = [...(providers.gub_uy_allowed ? [own] : []), ...providers.idps];
  return (
    <section className="screen" aria-labelledby="methods-title">
      <h1 id="methods-title" tabIndex={-1}>{say('methods.title')}</h1>
      {typeof message === 'string' && !dismissed && (
        <div className="notice" data-intent="info" role="status">
          <p>{message === 'sesion_expirada' ? say('methods.expired') : say('methods.message', { message: message.slice(0, longestMessage) })}</p>
          <button type="button" className="notice-dismiss" aria-label={say('dismiss')} onClick={() => setDismissed(true)}>×</button>
        </div>
      )}
      {typeof application === 'string' && <p className="screen-intro">{say('methods.for', { application })}</p>}
      <ul className="methods">
        {methods.map(({ identificador, nombre, descripcion, level, logo }) => (
          <li key={identificador}>
            <button type="button" className="method" onClick={() => void (identificador === '' ? runner.raise('own') : runner.raise('provider', { idp: identificador }))}>
              {logo && <img src={logo} alt="" width={48} height={48} />}
              <span className="method-name">{nombre}</span>
              {descripcion && <span>{descripcion}</span>}
              <span className="method-level">{say('methods.level', { level: say(level === 'advanced' ? 'methods.advanced' : 'methods.basicOrIntermediate') })}</span>
            </button>
          </li>
        ))}
      </ul>
      <p className="screen-actions">
        <button type="button" className="button" onClick={() => void runner.raise(runner.state.context.process_state ? 'cancel' : 'back')}>{say('cancelAndReturn')}</button>
      </p>
    </section>
  );
});

import { observer } from 'mobx-react-lite';
import { isRuleTrue } from '../../engine/core/json-logic.ts';
import { fillPlaceholders } from '../../engine/core/messages.ts';
import { resolveIntroParagraphs, resolveHeadingText } from '../../engine/core/screen-ui-queries.ts';
import type { FlowBlockProps } from '../../engine/react/flow/flow-route.tsx';
import { LoadingPlaceholder } from '../../engine/react/flow/loading-placeholder.tsx';
import { usePortal } from '../portal-context.ts';
import { useFlowState } from '../navigation/use-flow-runner.ts';
import { usePortalStore } from '../session/use-portal-store.ts';
import { useDocumentTitle } from '../shell/use-document-title.ts';
import { ActionButton, BlockLayout } from '../shell/block-layout.tsx';

export default observer(function LoginMethods({ runner }: FlowBlockProps) {
  const { t, config, flows } = usePortal();
  const store = usePortalStore();
  const { view, context = {} } = useFlowState(runner) ?? {};
  const ui = view?.screen?.validator.screen.ui;
  const title = ui ? resolveHeadingText(ui, { context }) : '';
  useDocumentTitle(title);
  const providers = store?.providers;
  if (!providers || !ui) return <LoadingPlaceholder text={t('loading')} />;
  const own = {
    identificador: '',
    nombre: config.brand.product,
    descripcion: t('methods.own'),
    nivel_seguridad: '',
    logo: null,
    color: undefined,
  } as const;
  const methods = [...(providers.gub_uy_allowed ? [own] : []), ...providers.idps];
  return (
    <BlockLayout id="methods-title" title={title} runner={runner}>
      {resolveIntroParagraphs(ui, { context }).map(({ text }) => (
        <p key={text} className="screen-intro">
          {fillPlaceholders(text, context)}
        </p>
      ))}
      <ul className="methods">
        {methods.map(({ identificador, nombre, descripcion, nivel_seguridad, logo, color }) => (
          <li key={identificador}>
            <button
              type="button"
              className="method"
              style={color === undefined ? undefined : { boxShadow: `inset 0.5rem 0 ${color}` }}
              onClick={() =>
                void (identificador === '' ? runner.raise('own') : runner.raise('provider', { idp: identificador }))
              }
            >
              {logo && <img src={logo} alt="" width={48} height={48} />}
              <span className="method-name">{nombre}</span>
              {descripcion && <span>{descripcion}</span>}
              <span className="method-level">
                {t('methods.level', {
                  level: t(nivel_seguridad === 'avanzado' ? 'methods.advanced' : 'methods.basicOrIntermediate'),
                })}
              </span>
            </button>
          </li>
        ))}
        {ui.actions
          ?.filter(({ visible }) => isRuleTrue(visible, { ...flows.facts(), context }))
          .map(({ event, text }) => (
            <li key={event}>
              <button type="button" className="method" onClick={() => void runner.raise(event)}>
                <span className="method-name">{text}</span>
              </button>
            </li>
          ))}
      </ul>
      <p className="screen-actions">
        <ActionButton
          look="quiet"
          text={t(context.process_state ? 'cancelAndReturn' : 'back')}
          onAct={() => void runner.raise(context.process_state ? 'cancel' : 'back')}
        />
      </p>
    </BlockLayout>
  );
});

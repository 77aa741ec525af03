import { usePortal } from '../portal-context.ts';
import { PortalLink } from './portal-link.tsx';

export function Breadcrumb({
  steps,
  current,
}: {
  steps: readonly { readonly to: string; readonly text: string }[];
  current: string;
}) {
  const { t } = usePortal();
  return (
    <nav className="breadcrumb" aria-label={t('breadcrumb')}>
      <ol>
        {steps.map(({ to, text }) => (
          <li key={to}>
            <PortalLink to={to}>{text}</PortalLink>
          </li>
        ))}
        <li aria-current="page">{current}</li>
      </ol>
    </nav>
  );
}

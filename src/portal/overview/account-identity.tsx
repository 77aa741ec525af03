import { formatIdentityDocumentWithCountry, getCitizenDocument } from '../../contract/format/document-type.ts';
import type { PortalStore } from '../../domain/root-store.ts';
import { usePortal } from '../portal-context.ts';

export function AccountIdentity({ user }: { user: NonNullable<PortalStore['user']> }) {
  const { page } = usePortal();
  return (
    <p className="overview-who">
      {user.nombre_completo} · {formatIdentityDocumentWithCountry(getCitizenDocument(user), page.language)}
    </p>
  );
}

import { formatCountry } from '../../contract/format/country.ts';
import { formatDocumentType } from '../../contract/format/document-type.ts';
import type { PortalStore } from '../../domain/root-store.ts';
import { usePortal } from '../portal-context.ts';

export function AccountIdentity({ user }: { user: NonNullable<PortalStore['user']> }) {
  const {
    page: { language },
  } = usePortal();
  const { tipo_documento: type, pais_emisor: country } = user.documento;
  return (
    <p className="overview-who">
      {user.nombre_completo} · {formatDocumentType(type.codigo, type.nombre, language)} {user.numero_documento},{' '}
      {formatCountry(country.codigo, country.nombre, language)}
    </p>
  );
}

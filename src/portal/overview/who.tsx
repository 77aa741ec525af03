import { writtenCountry } from '../../contract/written/country.ts';
import { writtenDocumentType } from '../../contract/written/document-type.ts';
import type { Store } from '../../domain/root-store.ts';
import { usePortal } from '../portal-context.ts';

export function Who({ user }: { user: NonNullable<Store['user']> }) {
  const {
    page: { language },
  } = usePortal();
  const { tipo_documento: type, pais_emisor: country } = user.documento;
  return (
    <p className="overview-who">
      {user.nombre_completo} · {writtenDocumentType(type.codigo, type.nombre, language)} {user.numero_documento},{' '}
      {writtenCountry(country.codigo, country.nombre, language)}
    </p>
  );
}

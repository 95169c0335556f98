import { plurals } from '../../words/plurals.ts';
import type { RunnersWords } from '../words/runners.ts';

const processes = plurals('es', { one: 'proceso', other: 'procesos' });
const types = plurals('es', { one: 'tipo', other: 'tipos' });

export const runners: RunnersWords = {
  text: 'Un ejecutor es un programa en otra máquina que ejecuta comprobaciones desde allí. Llega a este servicio por HTTPS y no necesita ningún puerto abierto.',
  none: 'No hay ejecutores remotos: el servicio ejecuta todas las comprobaciones. Un ejecutor comprueba desde otro lugar, o lo que solo su propia red alcanza.',
  noneRevoked: 'Ningún ejecutor está revocado.',
  inUse: 'En uso',
  make: 'Nuevo ejecutor',
  state: 'Estado',
  states: { connected: 'Conectado', silent: 'Sin respuesta', waiting: 'Aún no conectado', revoked: 'Revocado' },
  lastContact: 'Último contacto',
  never: 'Nunca',
  load: 'Carga',
  runs: (inFlight, capacity) => `${inFlight} de ${capacity}`,
  processes,
  program: 'Versión y dirección',
  types: 'Tipos de comprobación',
  lacking: (count) => `No puede ejecutar ${types(count)}`,
  alone: 'Único ejecutor de su región',
  ahead: (duration) => `Reloj adelantado ${duration}`,
  behind: (duration) => `Reloj atrasado ${duration}`,
  privateLocation: 'Ubicación privada',
  otherOrganization: 'Organización',
  nameHint: 'Por ejemplo, el lugar o la máquina.',
  where: 'Región',
  newLocation: 'Una nueva ubicación privada',
  inLocation: (name) => `Ubicación privada: ${name}`,
  inPublic: (name) => `Región pública: ${name}`,
  privateHint:
    'Solo las comprobaciones de su organización pueden usar una ubicación privada. Lleva el nombre de su ejecutor más antiguo.',
  publicHint:
    'Sirve a todas las organizaciones. El ejecutor integrado deja esta región desde ahora, esté conectado este o no.',
  rename: 'Cambiar el nombre',
  renameHint: 'Una ubicación privada lleva el nombre de su ejecutor más antiguo.',
  add: 'Añadir un ejecutor a esta región',
  rotate: 'Sustituir el token',
  rotateTitle: '¿Sustituir el token?',
  rotateText:
    'el token en uso sigue valiendo hasta que se use el nuevo, como máximo un día. Si fue robado, revoque el ejecutor.',
  rotated: 'Inicie el ejecutor con el nuevo token. Hasta entonces vale el actual, como máximo un día.',
  revoke: 'Revocar',
  revokeTitle: '¿Revocar este ejecutor?',
  revokeText: 'Su token será rechazado desde ahora, y lo que está ejecutando se descarta. No se puede deshacer.',
  revokePublic: 'El ejecutor integrado solo recupera la región con «uptrail runner release».',
  once: 'Copie el token ahora: no se volverá a mostrar.',
  token: 'Token del ejecutor',
  start: 'Inícielo en un terminal',
  startHint: 'La orden pide el token, para que no quede ni en el historial del intérprete ni en la lista de procesos.',
  docker: 'O con Docker, con la imagen que usted ha creado',
  needsHttps: 'Los ejecutores rechazan http sin cifrar: dé al servicio una dirección https y úsela en la orden.',
  onlyHere:
    'Esta dirección solo vale en esta máquina. En otra, un ejecutor necesita la dirección https pública del servicio.',
  kept: 'Lo he copiado',
};

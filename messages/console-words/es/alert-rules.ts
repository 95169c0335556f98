import { plurals } from '../../words/plurals.ts';
import type { AlertRuleWords, RuleSentenceFacts } from '../words/alert-rules.ts';

const ofRuns = plurals('es', { one: 'ejecución', other: 'ejecuciones' });
const ofRegions = plurals('es', { one: 'región', other: 'regiones' });
const ofChecks = plurals('es', { one: 'comprobación tiene', other: 'comprobaciones tienen' });
const ofChannels = plurals('es', { one: 'canal más', other: 'canales más' });
const severities = { low: 'baja', medium: 'media', high: 'alta', critical: 'crítica' };

const subject = ({ check, tag }: RuleSentenceFacts): string => check ?? `una comprobación con la etiqueta ${tag}`;

const wrong = (rule: RuleSentenceFacts): string => {
  switch (rule.condition) {
    case 'check_failed':
      return `${subject(rule)} falla`;
    case 'check_timeout':
      return `${subject(rule)} agota el tiempo límite`;
    case 'check_degraded':
      return `${subject(rule)} tarda más de ${rule.limit}`;
    case 'consecutive_failures':
      return `${subject(rule)} falla en ${ofRuns(rule.count)} seguidas`;
    case 'uptime_below_threshold':
      return `la disponibilidad en ${rule.window} (${subject(rule)}) es inferior a ${rule.threshold}`;
  }
};

const where = ({ mode, regions }: RuleSentenceFacts): string =>
  ({
    any_region: 'en cualquier región',
    all_regions: 'en todas las regiones',
    majority: 'en la mayoría de las regiones',
    specific_count: `en al menos ${ofRegions(regions)}`,
  })[mode];

export const alertRules: AlertRuleWords = {
  title: 'Reglas',
  add: 'Nueva regla',
  addTitle: 'Nueva regla de alerta',
  none: 'Aún no hay reglas de alerta',
  noneText: 'Una regla dice a qué canales se avisa cuando falla una comprobación.',
  noMatch: 'Ninguna regla coincide con el filtro.',
  search: 'Buscar reglas',
  rule: 'Regla',
  effect: 'Qué hace',
  state: 'Estado',
  sentences: (rule) => [
    `Cuando ${wrong(rule)} ${where(rule)}${rule.confirmations > 1 ? `, ${ofRuns(rule.confirmations)} seguidas` : ''}, ` +
      `se inicia una alerta de gravedad ${severities[rule.severity]}${rule.channels === '' ? '' : ` y se avisa a ${rule.channels}`}.`,
    rule.autoResolve
      ? `Termina tras ${rule.recoveries === 1 ? 'una ejecución' : `${ofRuns(rule.recoveries)} seguidas`} en que ya no ocurre.`
      : 'Dura hasta que alguien la resuelva.',
    ...(rule.cooldown === null ? [] : [`La siguiente empieza como pronto ${rule.cooldown} después.`]),
  ],
  moreChannels: ofChannels,
  enabled: 'activada',
  disabled: 'desactivada',
  enable: 'Activar',
  disable: 'Desactivar',
  mutedUntil: 'silenciada hasta el',
  muteFor: (duration) => `Silenciar durante ${duration}`,
  unmute: 'Quitar el silencio',
  quietBy: 'callada durante el mantenimiento:',
  ofTag: 'Etiqueta',
  deleteTitle: (name) => `¿Eliminar la regla ${name}?`,
  deleteText: 'Sus alertas activas se resuelven. Las alertas pasadas se conservan.',
  watches: 'Qué vigila',
  about: 'Vigila',
  abouts: { check: 'Una comprobación', tag: 'Cada comprobación con una etiqueta' },
  check: 'Comprobación',
  findCheck: 'Escriba una parte de su nombre',
  tag: 'Etiqueta',
  tagHint: 'Cada comprobación tiene su propia alerta, también las que reciban la etiqueta más tarde.',
  tagged: (count) => `${ofChecks(count)} ahora esta etiqueta.`,
  when: 'Cuándo alerta',
  condition: 'Condición',
  conditions: {
    check_failed: 'Una ejecución falla',
    consecutive_failures: 'Fallan varias ejecuciones seguidas',
    check_timeout: 'Una ejecución agota el tiempo límite',
    check_degraded: 'Una ejecución tarda demasiado',
    uptime_below_threshold: 'La disponibilidad es demasiado baja',
  },
  limit: 'Tiempo de respuesta superior a',
  count: 'Ejecuciones fallidas seguidas',
  threshold: 'Disponibilidad inferior a',
  window: 'Medida en los últimos',
  mode: 'En cuántas regiones',
  modes: {
    any_region: 'En cualquier región',
    majority: 'En la mayoría de las regiones',
    all_regions: 'En todas las regiones',
    specific_count: 'En un número de regiones',
  },
  regions: 'Regiones como mínimo',
  confirmations: 'Ejecuciones seguidas antes de alertar',
  confirmationsHint: 'Con dos o más, una sola ejecución mala no despierta a nadie.',
  then: 'A quién se avisa',
  channels: 'Canales',
  noChannels: 'Aún no hay canales de alerta.',
  addChannel: 'Nuevo canal',
  end: 'Cómo termina',
  autoResolve: 'Resolver la alerta cuando haya terminado',
  recoveries: 'Ejecuciones buenas seguidas antes de resolverla',
  cooldown: 'Tiempo entre dos alertas',
  cooldownHint: 'Se cuenta desde el inicio de la alerta anterior.',
  mutedUntilField: 'Silenciada hasta',
  mutedUntilHint: 'Hasta entonces las alertas aparecen en la lista, pero no se avisa a nadie.',
  enabledField: 'La regla está activada',
  nameExample: 'La tienda está caída',
  alertsOfRule: 'Alertas de esta regla',
};

import { plurals } from '../../words/plurals.ts';
import type { AlertRuleWords, RuleSentenceFacts } from '../words/alert-rules.ts';

const ofRuns = plurals('fr', { one: 'exécution', other: 'exécutions' });
const ofRegions = plurals('fr', { one: 'région', other: 'régions' });
const ofChecks = plurals('fr', { one: 'vérification porte', other: 'vérifications portent' });
const ofChannels = plurals('fr', { one: 'autre canal', other: 'autres canaux' });
const severities = { low: 'faible', medium: 'moyenne', high: 'élevée', critical: 'critique' };

const subject = ({ check, tag }: RuleSentenceFacts): string => check ?? `une vérification avec l’étiquette ${tag}`;

const wrong = (rule: RuleSentenceFacts): string => {
  switch (rule.condition) {
    case 'check_failed':
      return `${subject(rule)} échoue`;
    case 'check_timeout':
      return `${subject(rule)} dépasse le délai`;
    case 'check_degraded':
      return `${subject(rule)} prend plus de ${rule.limit}`;
    case 'consecutive_failures':
      return `${subject(rule)} échoue pendant ${ofRuns(rule.count)} de suite`;
    case 'uptime_below_threshold':
      return `la disponibilité sur ${rule.window} (${subject(rule)}) est inférieure à ${rule.threshold}`;
  }
};

const where = ({ mode, regions }: RuleSentenceFacts): string =>
  ({
    any_region: 'dans une région quelconque',
    all_regions: 'dans toutes les régions',
    majority: 'dans la plupart des régions',
    specific_count: `dans au moins ${ofRegions(regions)}`,
  })[mode];

export const alertRules: AlertRuleWords = {
  title: 'Règles',
  add: 'Nouvelle règle',
  addTitle: 'Nouvelle règle d’alerte',
  none: 'Aucune règle d’alerte pour l’instant',
  noneText: 'Une règle dit quels canaux sont prévenus quand une vérification échoue.',
  noMatch: 'Aucune règle ne correspond au filtre.',
  search: 'Rechercher des règles',
  rule: 'Règle',
  effect: 'Ce qu’elle fait',
  state: 'État',
  sentences: (rule) => [
    `Quand ${wrong(rule)} ${where(rule)}${rule.confirmations > 1 ? `, ${ofRuns(rule.confirmations)} de suite` : ''}, ` +
      `déclencher une alerte de gravité ${severities[rule.severity]}${rule.channels === '' ? '' : ` et prévenir ${rule.channels}`}.`,
    rule.autoResolve
      ? `Elle prend fin après ${rule.recoveries === 1 ? 'une exécution' : `${ofRuns(rule.recoveries)} de suite`} où ce n’est plus le cas.`
      : 'Elle dure jusqu’à ce que quelqu’un la résolve.',
    ...(rule.cooldown === null ? [] : [`La suivante commence au plus tôt ${rule.cooldown} après elle.`]),
  ],
  moreChannels: ofChannels,
  enabled: 'active',
  disabled: 'désactivée',
  enable: 'Activer',
  disable: 'Désactiver',
  mutedUntil: 'silencieuse jusqu’au',
  muteFor: (duration) => `Rendre silencieuse pendant ${duration}`,
  unmute: 'Mettre fin au silence',
  quietBy: 'muette pendant la maintenance :',
  ofTag: 'Étiquette',
  deleteTitle: (name) => `Supprimer la règle ${name} ?`,
  deleteText: 'Ses alertes actives sont résolues. Les alertes passées restent.',
  watches: 'Ce qu’elle surveille',
  about: 'Elle surveille',
  abouts: { check: 'Une vérification', tag: 'Chaque vérification avec une étiquette' },
  check: 'Vérification',
  findCheck: 'Saisissez une partie de son nom',
  tag: 'Étiquette',
  tagHint: 'Chaque vérification a sa propre alerte, aussi celles qui recevront l’étiquette plus tard.',
  tagged: (count) => `${ofChecks(count)} cette étiquette actuellement.`,
  when: 'Quand elle se déclenche',
  condition: 'Condition',
  conditions: {
    check_failed: 'Une exécution échoue',
    consecutive_failures: 'Plusieurs exécutions de suite échouent',
    check_timeout: 'Une exécution dépasse le délai',
    check_degraded: 'Une exécution est trop lente',
    uptime_below_threshold: 'La disponibilité est trop basse',
  },
  limit: 'Temps de réponse supérieur à',
  count: 'Échecs de suite',
  threshold: 'Disponibilité inférieure à',
  window: 'Mesurée sur',
  mode: 'Dans combien de régions',
  modes: {
    any_region: 'Dans une région quelconque',
    majority: 'Dans la plupart des régions',
    all_regions: 'Dans toutes les régions',
    specific_count: 'Dans un nombre de régions',
  },
  regions: 'Nombre minimal de régions',
  confirmations: 'Exécutions de suite avant l’alerte',
  confirmationsHint: 'Deux ou plus évitent qu’une seule mauvaise exécution réveille quelqu’un.',
  then: 'Qui est prévenu',
  channels: 'Canaux',
  noChannels: 'Il n’y a pas encore de canaux d’alerte.',
  addChannel: 'Nouveau canal',
  end: 'Comment elle prend fin',
  autoResolve: 'Résoudre l’alerte quand c’est terminé',
  recoveries: 'Bonnes exécutions de suite avant la résolution',
  cooldown: 'Temps entre deux alertes',
  cooldownHint: 'Compté depuis le début de l’alerte précédente.',
  mutedUntilField: 'Silencieuse jusqu’au',
  mutedUntilHint: 'Jusque-là les alertes sont listées, mais personne n’est prévenu.',
  enabledField: 'La règle est activée',
  nameExample: 'La boutique est en panne',
  alertsOfRule: 'Alertes de cette règle',
};

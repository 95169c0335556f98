import { plurals } from '../../words/plurals.ts';
import type { TagWords } from '../words/tags.ts';

const checks = plurals('fr', { one: 'vérification', other: 'vérifications' });
const heartbeats = plurals('fr', { one: 'heartbeat', other: 'heartbeats' });

export const tags: TagWords = {
  tag: 'Étiquette',
  filter: 'Filtrer les étiquettes',
  matches: plurals('fr', { one: 'étiquette', other: 'étiquettes' }),
  noMatch: 'Aucune étiquette ne contient ce texte.',
  empty: 'Aucune étiquette',
  emptyText:
    'Les vérifications et les heartbeats reçoivent leurs étiquettes là où on les modifie. Les règles d’alerte, les composants et les rapports peuvent nommer une étiquette au lieu d’une vérification.',
  checks: 'Vérifications',
  failing: 'En panne',
  heartbeats: 'Nombre de heartbeats',
  late: 'En retard',
  more: plurals('fr', { one: 'autre étiquette : précisez le filtre', other: 'autres étiquettes : précisez le filtre' }),
  rename: 'Renommer',
  newName: 'Nouveau nom',
  rule: 'Minuscules, chiffres et . _ : - seulement, 50 au plus.',
  renameTitle: (tag) => `Renommer l’étiquette ${tag}`,
  renameText: 'Si une étiquette porte déjà le nouveau nom, les deux n’en font plus qu’une.',
  removeTitle: (tag) => `Retirer partout l’étiquette ${tag} ?`,
  removeText: 'Cette action est irréversible.',
  affected: (ofChecks, ofHeartbeats) => `Portent l’étiquette : ${checks(ofChecks)} et ${heartbeats(ofHeartbeats)}.`,
  kept: 'Les règles d’alerte, composants et rapports qui nomment l’étiquette ne changent pas.',
  rules: plurals('fr', { one: 'règle d’alerte la nomme', other: 'règles d’alerte la nomment' }),
};

import { plurals } from '../../words/plurals.ts';
import type { GroupWords } from '../words/groups.ts';

export const groups: GroupWords = {
  new: 'Nouveau groupe',
  empty: 'Aucun groupe',
  emptyText:
    'Un groupe réunit des vérifications liées, comme celles d’un service. Il montre leur état et peut les mettre en pause ensemble.',
  checks: plurals('fr', { one: 'vérification', other: 'vérifications' }),
  ungrouped: 'Vérifications sans groupe',
  pausedGroup: 'groupe en pause',
  moveUp: 'Monter',
  moveDown: 'Descendre',
  drag: 'Faire glisser vers une autre place',
  moved: (name, place, count) => `${name} : place ${place} sur ${count}`,
  color: 'Couleur',
  noColor: 'Aucune couleur',
  otherColor: 'Code de couleur',
  active: 'Les vérifications de ce groupe s’exécutent',
  activeHint: 'Sinon, aucune ne s’exécute d’elle-même.',
  deleteTitle: 'Supprimer le groupe ?',
  deleteText: (checks) => `Le groupe contient ${checks}, conservées et ensuite sans groupe.`,
};

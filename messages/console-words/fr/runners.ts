import { plurals } from '../../words/plurals.ts';
import type { RunnersWords } from '../words/runners.ts';

const processes = plurals('fr', { one: 'processus', other: 'processus' });
const types = plurals('fr', { one: 'type impossible', other: 'types impossibles' });

export const runners: RunnersWords = {
  text: 'Un exécuteur est un programme sur une autre machine, qui exécute des vérifications de là-bas. Il joint ce service par HTTPS et n’a besoin d’aucun port ouvert.',
  none: 'Il n’y a aucun exécuteur distant : le service exécute lui-même toutes les vérifications. Un exécuteur vérifie d’un autre endroit, ou ce que seul son réseau atteint.',
  noneRevoked: 'Aucun exécuteur n’est révoqué.',
  inUse: 'En service',
  make: 'Nouvel exécuteur',
  state: 'État',
  states: { connected: 'Connecté', silent: 'Muet', waiting: 'Pas encore connecté', revoked: 'Révoqué' },
  lastContact: 'Dernier contact',
  never: 'Jamais',
  load: 'Charge',
  runs: (inFlight, capacity) => `${inFlight} sur ${capacity}`,
  processes,
  program: 'Version et adresse',
  types: 'Types de vérification',
  lacking: types,
  alone: 'Seul exécuteur de sa région',
  ahead: (duration) => `Horloge en avance de ${duration}`,
  behind: (duration) => `Horloge en retard de ${duration}`,
  privateLocation: 'Emplacement privé',
  otherOrganization: 'Organisation',
  nameHint: 'Par exemple le lieu ou la machine.',
  where: 'Région',
  newLocation: 'Un nouvel emplacement privé',
  inLocation: (name) => `Emplacement privé : ${name}`,
  inPublic: (name) => `Région publique : ${name}`,
  privateHint:
    'Seules les vérifications de votre organisation peuvent nommer un emplacement privé. Il porte le nom de son plus ancien exécuteur.',
  publicHint:
    'Il sert toutes les organisations. L’exécuteur intégré lui laisse cette région dès maintenant, qu’il soit connecté ou non.',
  rename: 'Renommer',
  renameHint: 'Un emplacement privé porte le nom de son plus ancien exécuteur.',
  add: 'Ajouter un exécuteur à cette région',
  rotate: 'Remplacer le jeton',
  rotateTitle: 'Remplacer le jeton ?',
  rotateText:
    'le jeton en service reste valable jusqu’à ce que le nouveau serve, un jour au plus. S’il a été volé, révoquez plutôt l’exécuteur.',
  rotated: 'Démarrez l’exécuteur avec le nouveau jeton. D’ici là, l’ancien reste valable, un jour au plus.',
  revoke: 'Révoquer',
  revokeTitle: 'Révoquer cet exécuteur ?',
  revokeText:
    'Son jeton est refusé dès maintenant, et ce qu’il est en train d’exécuter est abandonné. C’est irréversible.',
  revokePublic: 'L’exécuteur intégré ne reprend la région qu’après « uptrail runner release ».',
  once: 'Copiez le jeton maintenant : il ne sera plus affiché.',
  token: 'Jeton de l’exécuteur',
  start: 'Démarrez-le dans un terminal',
  startHint: 'La commande demande le jeton : il n’est ni dans l’historique du shell ni dans la liste des processus.',
  docker: 'Ou avec Docker, avec l’image que vous avez construite',
  needsHttps:
    'Les exécuteurs refusent http sans chiffrement : donnez au service une adresse https, et mettez-la dans la commande.',
  onlyHere:
    'Cette adresse n’existe que sur cette machine. Ailleurs, un exécuteur a besoin de l’adresse https publique du service.',
  kept: 'Je l’ai copié',
};

import type { TemplateWords } from '../words/templates.ts';

export const templates: TemplateWords = {
  new: 'Nouveau modèle',
  name: 'Nom du modèle',
  nameHint: 'Seule votre équipe le voit.',
  kind: 'Pour',
  allPages: 'Toutes les pages de statut',
  leftOpen: 'Au choix de qui rédige',
  none: 'Il n’y a pas encore de modèles. Enregistrez ce que vous écrivez souvent, et partez de là la prochaine fois.',
  deleteTitle: 'Supprimer ce modèle ?',
  kinds: { incident: 'Un incident', maintenance: 'Une maintenance' },
  useOn: (page) => `Utiliser sur ${page}`,
};

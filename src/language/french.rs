//! The table of messages: English as the code says it, and its French. Sorted by rooms; what
//! several rooms say stands with the lowest of them.
//!
//! French has a space before `:`, `;`, `!`, `?`, `%` and within « »: written as a plain one here,
//! and made a no-break one when the table is read.

/// English, French. `{}` takes the values in their order, `{2}` the second one.
pub(super) const TABLE: &[(&str, &str)] = &[
    ("{} of {}", "{} sur {}"),
    // record: what contained the bots
    ("{} with cgroup", "{} avec cgroup"),
    // record: how games end, and what bots and processes did
    ("ended by the rules ({})", "fin selon les règles ({})"),
    (
        "the limit of plies was reached, the score decided",
        "la limite de demi-coups est atteinte, le score a décidé",
    ),
    (
        "the time of the game was over, the score decided",
        "le temps de la partie est écoulé, le score a décidé",
    ),
    ("player {} forfeited: {}", "forfait du joueur {} : {}"),
    (
        "both forfeited: player 1: {}; player 2: {}",
        "double forfait : joueur 1 : {} ; joueur 2 : {}",
    ),
    ("void, a fault of the referee: {}", "partie annulée par la faute de l'arbitre : {}"),
    ("move late: {} where {} are allowed", "coup trop tardif : {} au lieu de {} au plus"),
    ("its time account was empty after {}", "son crédit de temps était épuisé après {}"),
    ("over {} of CPU time in the game", "plus de {} de temps de calcul dans la partie"),
    ("not ready within {}", "pas prêt en {}"),
    ("illegal move", "coup illégal"),
    ("a line that is not exactly one move", "une ligne qui n'est pas exactement un coup"),
    ("a line of over {} bytes", "une ligne de plus de {} octets"),
    ("a line that is not UTF-8", "une ligne qui n'est pas en UTF-8"),
    ("over {} bytes on {}", "plus de {} octets sur {}"),
    ("it wrote when it was not its turn", "il a écrit alors que ce n'était pas son tour"),
    ("it closed its output", "il a fermé sa sortie"),
    ("it {}", "il {}"),
    ("it would not start: {}", "il n'a pas pu démarrer : {}"),
    ("it did not build", "sa compilation a échoué"),
    (
        "suspended after failing too often, not played",
        "suspendu après trop d'échecs, partie non jouée",
    ),
    ("exited with code {}", "s'est terminé avec le code {}"),
    ("was ended by signal {}", "a été arrêté par le signal {}"),
    ("ended", "s'est terminé"),
    ("a Windows program; build it for Linux", "un programme pour Windows ; compilez-le pour Linux"),
    ("a macOS program; build it for Linux", "un programme pour macOS ; compilez-le pour Linux"),
    (
        "built for another processor ({}); build it for this one",
        "compilé pour un autre processeur ({}) ; compilez-le pour celui-ci",
    ),
    (
        "its loader {} is not on this machine; link it statically or build it here",
        "son chargeur {} n'est pas sur cette machine ; liez-le statiquement ou compilez-le ici",
    ),
    (
        "its first line ends with CR LF; save it with Unix line ends",
        "sa première ligne finit par CR LF ; enregistrez-le avec des fins de ligne Unix",
    ),
    (
        "it is not executable; chmod +x it",
        "il n'est pas exécutable ; rendez-le exécutable avec chmod +x",
    ),
    (
        "{} is not on this machine; install it",
        "{} n'est pas installé sur cette machine ; installez-le",
    ),
    (
        "{} is not there; check `run` in its bot.toml",
        "{} n'existe pas ; vérifiez `run` dans son bot.toml",
    ),
    ("the system refused to start it: {}", "le système a refusé de le démarrer : {}"),
    ("the machine lacks resources: {}", "la machine manque de ressources : {}"),
    ("a panic: {}", "une panique : {}"),
    ("by the rules ({})", "selon les règles ({})"),
    ("limit of plies", "limite de demi-coups"),
    ("time of the game over", "temps de la partie écoulé"),
    ("both forfeited", "double forfait"),
    ("fault of the referee", "faute de l'arbitre"),
    ("move too late", "coup trop tardif"),
    ("time account empty", "crédit de temps épuisé"),
    ("too much CPU time", "trop de temps de calcul"),
    ("not ready in time", "pas prêt à temps"),
    ("line that is no move", "ligne qui n'est pas un coup"),
    ("line too long", "ligne trop longue"),
    ("bytes that are no text", "octets qui ne sont pas du texte"),
    ("too much output", "trop de sortie"),
    ("wrote out of turn", "a écrit hors de son tour"),
    ("closed its output", "a fermé sa sortie"),
    ("process ended", "processus terminé"),
    ("would not start", "n'a pas pu démarrer"),
    ("did not build", "compilation échouée"),
    ("suspended", "suspendu"),
    // report: titles of columns
    ("bot", "bot"),
    ("side", "joueur"),
    ("opponent", "adversaire"),
    ("opening", "ouverture"),
    ("ending", "fin"),
    ("(all)", "(tous)"),
    ("games", "parties"),
    ("distinct", "distinctes"),
    ("wins", "victoires"),
    ("draws", "nulles"),
    ("losses", "défaites"),
    ("W-D-L", "V-N-D"),
    ("score", "score"),
    ("points", "points"),
    ("win rate", "% victoires"),
    ("low", "min"),
    ("high", "max"),
    ("95 %", "95 %"),
    ("plies", "demi-coups"),
    ("forfeits", "forfaits"),
    ("hash", "empreinte"),
    ("calls itself", "se nomme"),
    ("p", "p"),
    ("bound", "borne"),
    ("Elo", "Elo"),
    ("group", "groupe"),
    ("moves", "coups"),
    ("mean ms", "moyenne ms"),
    ("median ms", "médiane ms"),
    ("95 % ms", "95 % ms"),
    ("max ms", "max ms"),
    ("of limit", "de la limite"),
    ("at most", "au plus"),
    ("stolen ms", "volées ms"),
    // report: notes below tables
    (
        "> at least: it won every game that would show how strong it is.",
        "> au moins : il a gagné toutes les parties qui montreraient sa force.",
    ),
    (
        "< at most: it lost every game that would show how strong it is.",
        "< au plus : il a perdu toutes les parties qui montreraient sa force.",
    ),
    (
        "{} of {} games were distinct; games played again narrow no interval.",
        "{} parties distinctes sur {} ; une partie rejouée ne resserre aucun intervalle.",
    ),
    ("{} and {}", "{} et {}"),
    ("{} to {}", "de {} à {}"),
    (
        "All neighbours differ significantly in Elo (95 %, corrected by Holm).",
        "Tous les voisins diffèrent significativement en Elo (95 %, correction de Holm).",
    ),
    (
        "No significant difference in Elo (95 %, corrected by Holm): {}.",
        "Pas de différence d'Elo significative (95 %, correction de Holm) : {}.",
    ),
    (
        "{} groups of bots never met: Elo compares bots of one group only.",
        "{} groupes de bots ne se sont jamais rencontrés : l'Elo ne compare que les bots d'un même \
         groupe.",
    ),
    (
        "Player 1 has an advantage of {} ±{} Elo; {} % of the games between equals are draws.",
        "Le joueur 1 a un avantage de {} ±{} Elo ; {} % des parties entre égaux sont nulles.",
    ),
    (
        "How sure it is that the bot of the row is stronger than that of the column, in per cent.",
        "À quel point il est sûr que le bot de la ligne est plus fort que celui de la colonne, en \
         pour cent.",
    ),
    ("(all) is as player 1 sees it.", "(tous) : du point de vue du joueur 1."),
    ("This is as player 1 sees it.", "Du point de vue du joueur 1."),
    (
        "Games that were played before narrow no interval.",
        "Une partie déjà jouée ne resserre aucun intervalle.",
    ),
    (
        "Half of the moves took no longer than the median, 95 % no longer than 95 % ms (to half a \
         percent). Stolen: CPU time in the opponent's turns.",
        "La moitié des coups n'a pas pris plus que la médiane, 95 % pas plus que « 95 % ms » (à un \
         demi pour cent près). Volées : temps de calcul pendant les tours de l'adversaire.",
    ),
    (
        "The file does not say which moves were played: all games are taken for distinct.",
        "Le fichier ne dit pas quels coups ont été joués : toutes les parties sont tenues pour \
         distinctes.",
    ),
    (
        "Stages: {}. Who came farther stands higher, then by the games of that stage; the figures \
         are of all stages.",
        "Phases : {}. Qui est allé plus loin est mieux classé, puis selon les parties de cette \
         phase ; les chiffres sont ceux de toutes les phases.",
    ),
    (
        "A ladder lets equals meet, so Elo decides the order, not points.",
        "Une échelle fait se rencontrer des égaux : l'ordre vient donc de l'Elo, et non des points.",
    ),
    (
        "Who met whom followed from results: 95 % intervals of Elo then hold the truth less often \
         (85 in a hundred, measured for a Swiss system).",
        "Les rencontres dépendaient des résultats : les intervalles d'Elo à 95 % contiennent alors \
         moins souvent la vérité (85 fois sur cent, mesuré pour un système suisse).",
    ),
    (
        "Byes count as games won, in the points only: {}.",
        "Une exemption compte comme partie gagnée, dans les points seulement : {}.",
    ),
    (
        "Test of {} against {} ({} Elo {} to {}, alpha {}, beta {}): {}.\nLog-likelihood ratio {}, \
         from {} to {}, after {} pairs.{}",
        "Test de {} contre {} (Elo {} de {} à {}, alpha {}, bêta {}) : {}.\nLogarithme du rapport \
         de vraisemblance {}, de {} à {}, après {} paires.{}",
    ),
    (
        "{} is stronger than {}: the difference is not {} Elo or less",
        "{} est plus fort que {} : la différence n'est pas de {} Elo ou moins",
    ),
    (
        "{} is not that much stronger than {}: the difference is not {} Elo or more",
        "{} n'est pas à ce point plus fort que {} : la différence n'est pas de {} Elo ou plus",
    ),
    (
        "stopped undecided, as {} of {} pairs repeat earlier ones move for move: more of them say \
         nothing new; play with openings",
        "arrêté sans décision, car {} des {} paires en répètent une autre coup pour coup : \
         davantage n'apprendrait rien ; jouez avec des ouvertures",
    ),
    (
        "undecided after the most games that were allowed",
        "sans décision après le plus grand nombre de parties permis",
    ),
    ("not decided yet", "pas encore décidé"),
    (
        "\nUnbiased estimate of the difference in Elo: {}.",
        "\nEstimation sans biais de la différence d'Elo : {}.",
    ),
    ("{}: 1 game", "{} : 1 partie"),
    ("{}: {} games", "{} : {} parties"),
    ("game {} against {}, ply {}", "partie {} contre {}, demi-coup {}"),
    ("line: {}", "ligne : {}"),
    ("process: {}", "processus : {}"),
    ("stderr: {}", "stderr : {}"),
    (
        "Isolation: {}; the bots were not contained.",
        "Isolement : {} ; les bots n'étaient pas confinés.",
    ),
    ("Isolation: {}.", "Isolement : {}."),
    ("unknown", "inconnu"),
    ("1 game {}", "1 partie {}"),
    ("{} games {}", "{} parties {}"),
    (
        "Isolation is mixed: {}. They differ: compare with care.",
        "Isolement inégal : {}. Ils diffèrent : comparez avec prudence.",
    ),
    (
        "Isolation is mixed: {}. They differ in {}: compare with care.",
        "Isolement inégal : {}. Ils diffèrent en {} : comparez avec prudence.",
    ),
    ("±{}, from {} to {}", "±{}, de {} à {}"),
    ("at least {}, without an upper bound", "au moins {}, sans borne supérieure"),
    ("at most {}, without a lower bound", "au plus {}, sans borne inférieure"),
    ("without bounds", "sans bornes"),
    ("{} against {}: Elo {}; normalised {}.", "{} contre {} : Elo {} ; normalisé {}."),
    (
        "It is the stronger one with a likelihood of {}.",
        "Il est le plus fort avec une probabilité de {}.",
    ),
    (
        "Distinct pairs by its score, 0 to 2: {}; {} came out even.",
        "Paires distinctes selon son score, de 0 à 2 : {} ; {} à égalité.",
    ),
    (
        "Pairs that repeat an earlier one, not counted again: {}.",
        "Paires qui en répètent une autre, non comptées : {}.",
    ),
    (
        "Games left out for want of a partner: {}.",
        "Parties laissées de côté faute de partenaire : {}.",
    ),
    // report::charts
    ("{}: {}", "{} : {}"),
    ("Elo with 95 % intervals", "Elo avec intervalles à 95 %"),
    (
        "The dot is the rating, the line its 95 % interval; an arrow where the games set no bound on that side. A hollow dot is only a bound, a diamond an anchor, whose rating is given.",
        "Le point est le classement Elo, le trait son intervalle à 95 % ; une flèche là où les parties ne donnent pas de borne de ce côté. Un point creux n’est qu’une borne, un losange une ancre, dont l’Elo est donné.",
    ),
    ("Wins, draws, losses", "Victoires, nulles, défaites"),
    ("{} won, {} drawn, {} lost", "{} gagnées, {} nulles, {} perdues"),
    (
        "Shares of each bot's games: won at full height, drawn at middle height, lost as a low line. At the right how many were won, drawn and lost.",
        "Les parties de chaque bot : gagnées en pleine hauteur, nulles à mi-hauteur, perdues en trait bas. À droite, le nombre de parties gagnées, nulles et perdues.",
    ),
    ("share of games", "part des parties"),
    ("Cross table", "Tableau croisé"),
    (
        "A cell holds the share of the points that the bot of its row took from the bot of its column, both in the order of the standings; the darker (in a dark page: the brighter), the more.",
        "Une case montre la part des points que le bot de la ligne a prise au bot de la colonne, tous deux dans l’ordre du classement ; plus elle est foncée (sur une page sombre : claire), plus la part est grande.",
    ),
    ("In it: games won–drawn–lost.", "Dans la case : parties gagnées–nulles–perdues."),
    ("In it: that share in per cent.", "Dans la case : cette part en pour cent."),
    ("{} against {}: {} ({} %)", "{} contre {} : {} ({} %)"),
    ("share of the points", "part des points"),
    ("Rating over time", "Elo au fil des parties"),
    (
        "Elo, fitted anew after growing parts of the games in the plan's order; the band is the 95 % interval. Named are the first {} of the standings, the thin lines are those after them.",
        "L’Elo, recalculé sur des parts croissantes des parties dans l’ordre du plan ; la bande est l’intervalle à 95 %. Sont nommés les {} premiers du classement ; les traits fins sont les suivants.",
    ),
    ("games played", "parties jouées"),
    ("Time per move", "Temps par coup"),
    (
        "How often a bot's moves took how long, on a scale on which every line is ten times the one before. The tall mark is the median, which stands at the right too; 95 % of the moves took no longer than the dot.",
        "Combien de coups d’un bot ont pris combien de temps, sur une échelle où chaque trait vaut dix fois le précédent. La grande marque est la médiane, inscrite aussi à droite ; 95 % des coups n’ont pas pris plus de temps que le point.",
    ),
    ("The dashed line is the limit of {}.", "Le trait en tirets est la limite de {}."),
    ("time for a move", "temps pour un coup"),
    ("{}: median {}, 95 % within {}", "{} : médiane {}, 95 % en {} au plus"),
    ("Game length", "Longueur des parties"),
    (
        "How many games had how many plies (moves of both sides together, the opening's too).",
        "Combien de parties ont eu combien de coups (des deux camps ensemble, ceux de l’ouverture compris).",
    ),
    ("Hollow: games that ended by a forfeit.", "En creux : les parties terminées par un forfait."),
    ("played out", "jouées jusqu’au bout"),
    ("forfeited", "perdues par forfait"),
    ("ply", "coup"),
    ("Score difference", "Écart de score"),
    (
        "Player 1's final score minus player 2's, of games that were played out: right of 0 player 1 had more, left of it player 2.",
        "Le score final du joueur 1 moins celui du joueur 2, pour les parties jouées jusqu’au bout : à droite de 0, le joueur 1 avait plus ; à gauche, le joueur 2.",
    ),
    ("player 1 has more", "le joueur 1 a plus"),
    ("player 2 has more", "le joueur 2 a plus"),
    ("score of player 1 minus score of player 2", "score du joueur 1 moins score du joueur 2"),
    ("First-move advantage", "Avantage du joueur 1"),
    (
        "Above: all games as player 1 won, drew or lost them. Below: the share of the points that each bot took as player 1 (filled dot) and as player 2 (hollow dot).",
        "En haut : toutes les parties, gagnées, nulles ou perdues par le joueur 1. En bas : la part des points que chaque bot a prise comme joueur 1 (point plein) et comme joueur 2 (point creux).",
    ),
    ("player 1 won {} ({} %)", "joueur 1 : {} ({} %)"),
    ("{} draws ({} %)", "{} nulles ({} %)"),
    ("player 2 won {} ({} %)", "joueur 2 : {} ({} %)"),
    (
        "Player 1 took {} % of the points (95 %: {} to {}).",
        "Le joueur 1 a pris {} % des points (95 % : {} à {}).",
    ),
    ("Being player 1 is worth {} ±{} Elo.", "Être joueur 1 vaut {} ±{} Elo."),
    ("{} as player {}: {} %", "{} comme joueur {} : {} %"),
    ("Endings", "Fins de partie"),
    (
        "How many games ended how. Hollow bars are forfeits: lost by behaviour, not by play.",
        "Comment les parties se sont terminées. Les barres creuses sont des forfaits : perdues par le comportement, non par le jeu.",
    ),
    ("rules ({})", "règles ({})"),
    ("time of the game", "temps de la partie"),
    ("move late", "coup en retard"),
    ("start late", "démarrage en retard"),
    ("malformed line", "ligne mal formée"),
    ("line not UTF-8", "ligne non UTF-8"),
    ("spoke out of turn", "a parlé hors de son tour"),
    ("ended early", "terminé trop tôt"),
    ("Knockout", "Élimination directe"),
    (
        "Every box is a match with the points of the two; who won it stands in bold and goes on to the right. Who has no box in a round had a bye.",
        "Chaque cadre est un match avec les points des deux bots ; le vainqueur est en gras et continue à droite. Qui n’a pas de cadre dans un tour était exempt.",
    ),
    ("The first rounds are left out.", "Les premiers tours sont omis."),
    ("Final", "Finale"),
    ("Semifinals", "Demi-finales"),
    ("Quarterfinals", "Quarts de finale"),
    ("Round {}", "Tour {}"),
    ("Third place", "Troisième place"),
    ("Rounds", "Tours"),
    (
        "A cell names the opponent by its number in this table, then the points of the two; below them the bot's points so far. The bar at its left is high for a match won, middling for one drawn, low for one lost.",
        "Une case nomme l’adversaire par son numéro dans ce tableau, puis les points des deux ; dessous, le total du bot jusque-là. La barre à gauche est haute pour un match gagné, moyenne pour un nul, basse pour un perdu.",
    ),
    ("Drawn are the first {} of {} bots.", "Sont dessinés les {} premiers des {} bots."),
    ("bye", "exempt"),
    ("Ladder", "Échelle"),
    (
        "The order by Elo after growing parts of the games: a line falls where others overtook its bot. A line begins where the bot had a rating.",
        "L’ordre par Elo après des parts croissantes des parties : un trait descend là où d’autres ont dépassé son bot. Un trait commence là où le bot a eu un Elo.",
    ),
    ("Score curve", "Courbe d’évaluation"),
    (
        "What each side thought of its own position when it moved: above 0 it felt ahead. Values are each program's own; those beyond the edge are drawn at it.",
        "Ce que chaque camp pensait de sa propre position en jouant : au-dessus de 0, il se croyait devant. Chaque programme a ses propres valeurs ; celles qui dépassent le bord y sont dessinées.",
    ),
];

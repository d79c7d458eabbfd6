from croupier.errors import CroupierError as CroupierError
from croupier.library import language as language
from croupier.library.answers import Decisions as Decisions
from croupier.library.answers import Odds as Odds
from croupier.library.answers import Par as Par
from croupier.library.answers import Plan as Plan
from croupier.library.answers import Plot as Plot
from croupier.library.answers import Sampled as Sampled
from croupier.library.answers import Sweep as Sweep
from croupier.library.answers import Table as Table
from croupier.library.answers import Vulnerability as Vulnerability
from croupier.library.inputs import paytable as paytable
from croupier.library.round import Round as Round
from croupier.library.tables import Blackjack as Blackjack
from croupier.library.tables import Game as Game
from croupier.library.tables import Priced as Priced
from croupier.library.tables import Wager as Wager
from croupier.library.tables import blackjack as blackjack
from croupier.library.tables import catalogue as catalogue
from croupier.library.tables import deal as deal
from croupier.library.tables import game as game
from croupier.library.tables import plan as plan
from croupier.library.tables import simulate as simulate

__version__: str
__all__: list[str]

"""The dealer's school: a round that the engine has dealt, turned into the questions that its dealer had to answer.

    lesson = make_lesson("blackjack", seed="monday", seats=3)
    for step in lesson.steps: ...

Nothing here knows a rule: what is right is read off the round's own events and settlements, and off the functions that
the games themselves judge by.
"""

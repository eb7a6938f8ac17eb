"""Addresses of the annotation room's pages."""

from django.urls import path

from annotation.views import account, campaigns, desk, home, hours, messages, mine, people, welcome

app_name = "annotation"
urlpatterns = [
    path("", home.home, name="home"),
    path("welcome/<str:secret>/", welcome.welcome, name="welcome"),
    path("account/", account.account, name="account"),
    path("account/language/", account.language, name="language"),
    path("account/keys/", account.keys, name="keys"),
    path("account/tokens/", account.new_token, name="new_token"),
    path("account/tokens/<int:token_id>/revoke/", account.drop_token, name="drop_token"),
    path("hours/", hours.own, name="hours"),
    path("hours.csv", hours.own_csv, name="hours_csv"),
    path("messages/<int:message_id>/read/", messages.read, name="read_message"),
    path("campaigns/", campaigns.campaigns, name="campaigns"),
    path("campaigns/new/", campaigns.new_campaign, name="new_campaign"),
    path("campaigns/new/count/", campaigns.count, name="count_selection"),
    path("campaigns/<slug:slug>/", campaigns.campaign, name="campaign"),
    path("campaigns/<slug:slug>/open/", campaigns.change_state, {"to": "open"}, name="open_campaign"),
    path("campaigns/<slug:slug>/pause/", campaigns.change_state, {"to": "paused"}, name="pause_campaign"),
    path("campaigns/<slug:slug>/close/", campaigns.change_state, {"to": "closed"}, name="close_campaign"),
    path("campaigns/<slug:slug>/guideline/", desk.guideline, name="guideline"),
    path("campaigns/<slug:slug>/rate/", desk.rate, name="rate"),
    path("campaigns/<slug:slug>/rate/ahead/", desk.ahead, name="ahead"),
    path("campaigns/<slug:slug>/rate/<int:assignment_id>/", desk.item, name="item"),
    path("campaigns/<slug:slug>/rate/<int:assignment_id>/skip/", desk.skip, name="skip"),
    path("campaigns/<slug:slug>/rate/<int:assignment_id>/renew/", desk.renew, name="renew"),
    path("campaigns/<slug:slug>/hours/", hours.of_campaign, name="campaign_hours"),
    path("campaigns/<slug:slug>/hours.csv", hours.of_campaign_csv, name="campaign_hours_csv"),
    path("campaigns/<slug:slug>/messages/", messages.messages, name="messages"),
    path("campaigns/<slug:slug>/messages/everyone/", messages.everyone, name="message_everyone"),
    path("campaigns/<slug:slug>/messages/read/", messages.read_thread, name="read_messages"),
    path("campaigns/<slug:slug>/messages/<int:user_id>/", messages.thread, name="thread"),
    path("campaigns/<slug:slug>/messages/<int:user_id>/read/", messages.read_thread, name="read_thread"),
    path("campaigns/<slug:slug>/mine/", mine.mine, name="mine"),
    path("campaigns/<slug:slug>/mine/last/", mine.last, name="last"),
    path("campaigns/<slug:slug>/mine/<int:assignment_id>/", mine.edit, name="edit"),
    path("campaigns/<slug:slug>/mine/<int:assignment_id>/take-back/", mine.take_back, name="take_back"),
    path("campaigns/<slug:slug>/people/", people.people, name="people"),
    path("campaigns/<slug:slug>/people/<int:member_id>/state/", people.change_state, name="change_member"),
    path("campaigns/<slug:slug>/people/<int:member_id>/link/", people.new_link, name="new_link"),
]
